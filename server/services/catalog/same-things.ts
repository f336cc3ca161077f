// Words that shoppers and shops use for the same thing, most of them British and American (decision 0089). Some mean something
// else as well ("pants", "trainers", "vest"): so what is called by another word comes after what is called as was asked, and
// only where that is what it is, and no part of it: what is called "trainers", no "trainer socks". Words that are always the
// same (`same-words.ts`) need none of that.
const groups = `
  trainers | sneakers
  jumper | sweater | pullover
  trousers | pants
  waistcoat | vest
  gilet | vest | bodywarmer | body warmer
  dungarees | overalls
  dressing gown | bathrobe
  swimsuit | swimming costume | bathing suit
  swimming trunks | swim trunks | swim shorts
  tights | pantyhose
  knickers | panties
  polo neck | turtleneck | roll neck
  t shirt | tshirt | tee
  wellies | wellingtons | gumboots | rain boots | rubber boots
  ankle boots | booties
  beanie | knitted hat | woolly hat | bobble hat
  mittens | mitts
  snood | neck warmer | neck gaiter
  dinner jacket | tuxedo
  raincoat | rain coat | rain jacket
  wristwatch | watch
  spectacles | eyeglasses
  handbag | purse
  purse | wallet
  bumbag | bum bag | fanny pack | hip pack | waist pack | belt bag
  holdall | duffel
  knapsack | rucksack | backpack
  umbrella | brolly
  watch strap | watch band
  torch | flashlight
  head torch | headlamp | headtorch
  mobile phone | cell phone | cellphone | smartphone
  power bank | powerbank | portable charger
  memory stick | usb stick | flash drive | thumb drive
  extension lead | extension cord | extension cable
  phone holder | phone mount | phone stand
  picture frame | photo frame
  earphones | earbuds
  sat nav | satnav | gps
  hoover | vacuum | vacuum cleaner
  hob | cooktop
  hairdryer | hair dryer | blow dryer
  settee | sofa | couch
  wardrobe | armoire
  bedside table | nightstand
  bookcase | bookshelf
  pouffe | pouf | ottoman | footstool
  sun lounger | sunlounger | lounger
  curtains | drapes
  duvet | comforter
  bedspread | coverlet
  throw | blanket
  cushion | throw pillow
  doormat | welcome mat
  tablecloth | table cloth
  placemat | place mat
  showerhead | shower head
  rug | carpet
  washcloth | face cloth | flannel
  tap | faucet
  bin | trash can | garbage can | wastebasket
  pushchair | stroller | buggy
  cot | crib
  dummy | pacifier
  soft toy | cuddly toy | stuffed animal | plush
  frying pan | skillet | frypan
  casserole | casserole dish | dutch oven
  cafetiere | french press
  chopping board | cutting board
  loaf tin | loaf pan
  cake tin | cake pan
  muffin tin | muffin pan
  baking tray | baking sheet | cookie sheet
  tea towel | dish towel
  oven glove | oven mitt
  kettle | tea kettle
  jug | pitcher
  cutlery | silverware | flatware
  crockery | dinnerware | tableware
  napkin | serviette
  cling film | plastic wrap
  kitchen roll | paper towels
  toilet paper | toilet roll | loo roll
  washing liquid | dish soap
  thermos | vacuum flask
  cool box | coolbox | cooler
  aubergine | eggplant
  courgette | zucchini
  coriander | cilantro
  prawns | shrimp
  sweets | candy
  biscuits | cookies
  porridge | oatmeal
  suncream | sun cream | sunscreen | sunblock
  nail varnish | nail polish
  shower gel | body wash
  perfume | fragrance
  plaster | bandaid | band aid
  nappy bag | diaper bag
  lead | leash
  kennel | doghouse | dog house
  sleeping mat | sleeping pad
  air mattress | airbed | air bed | air mat
  camp bed | camping cot
  pegs | stakes
  trekking poles | hiking poles | walking poles
  bouldering mat | crash pad
  paddleboard | paddle board | sup
  penknife | pocket knife
  mudguard | fender
  puncture kit | patch kit | puncture repair kit
  spanner | wrench
  secateurs | pruning shears | pruners
  hosepipe | garden hose
  clothes pegs | clothespins
  letterbox | mailbox
  duct tape | gaffer tape
  gift card | gift voucher | gift certificate
  bin bag | bin liner | garbage bag | trash bag | rubbish bag
  suitcase | luggage
  parasol | patio umbrella | sun umbrella
  washing line | clothesline
  airer | drying rack | clothes horse
  paddling pool | kiddie pool | wading pool
  climbing frame | jungle gym
  fairy lights | string lights
  tin opener | can opener
  kitchen scale | food scale
  cooker hood | range hood
  spirit level | bubble level
  allen key | hex key
  ssd | solid state drive
  fancy dress | costume
  nightdress | nightgown | nightie
  tank top | singlet
  hairband | headband
  hair bobble | hair tie | hair elastic
  hair grip | bobby pin
  hair slide | barrette
  cotton bud | cotton swab
  knitting wool | yarn
  rubber | eraser
  drawing pin | thumbtack | push pin
  pencil case | pencil bag
  sticky tape | adhesive tape
  parcel tape | packing tape`;

/** One and several of a thing, as a key: `torch` and `torches`, `welly` and `wellies`. What has no singular loses its end, too. */
export const bare = (saying: string): string => saying.replace(/ies?$/, "y").replace(/(?<=s|x|ch|sh)es$|s$/, "");

const others = new Map<string, string[]>();
for (const line of groups.trim().split("\n")) {
  const sayings = line.split("|").map((saying) => saying.trim());
  for (const saying of sayings) {
    const known = others.get(bare(saying)) ?? [];
    others.set(bare(saying), [...known, ...sayings.filter((other) => bare(other) !== bare(saying))]);
  }
}

/** What a thing is also called that is called so, in folded English words with blanks between. */
export const alsoCalled = (saying: string): readonly string[] => others.get(bare(saying)) ?? [];

/** The most words of a saying. */
export const LONGEST = Math.max(...[...others.keys()].map((saying) => saying.split(" ").length));
