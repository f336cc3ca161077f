// Words that are written in two ways, or change within when they mean several: no stem knows that they are the same.
// What means two things ("lead", "pants", "trainer") is not among them: `same-things.ts` has that.
const groups = `
  man men gents
  woman women ladies
  child children kid kids
  person persons people
  foot feet
  tooth teeth
  goose geese
  mouse mice
  knife knives
  shelf shelves
  scarf scarfs scarves
  leaf leaves
  loaf loaves
  half halves
  calf calves
  wolf wolves
  grey gray
  greys grays
  flavour flavor
  flavours flavors
  flavoured flavored
  odour odor
  vapour vapor
  theatre theater
  sulphate sulfate
  colour color
  colours colors
  coloured colored
  jewellery jewelry
  earring earing
  earrings earings
  karabiner carabiner
  karabiners carabiners
  aluminium aluminum
  fibre fiber
  fibres fibers
  tyre tire
  tyres tires
  pyjama pajama
  pyjamas pajamas
  litre liter
  litres liters
  metre meter
  metres meters
  centre center
  mould mold
  moulds molds
  armour armor
  woollen woolen
  cosy cozy
  moustache mustache
  doughnut donut
  doughnuts donuts
  yoghurt yogurt
  whisky whiskey
  liquorice licorice
  plough plow
  catalogue catalog
  mum mom
  sofa couch
  sofas couches
  rucksack backpack
  rucksacks backpacks
  nappy diaper
  nappies diapers
  headtorch headlamp
  headtorches headlamps
  bike bicycle
  bikes bicycles
  fridge refrigerator
  fridges refrigerators
  tv television
  tvs televisions
  duffel duffle
  bivvy bivy bivi
  barbecue barbeque bbq
  two 2
  three 3
  four 4
  five 5
  six 6
  seven 7
  eight 8
  nine 9
  ten 10
  twelve 12`;

const same = new Map(
  groups
    .trim()
    .split("\n")
    .flatMap((line) => {
      const group = line.trim().split(" ");
      return group.map((word) => [word, group] as const);
    }),
);

/** "womans", "childrens": whose it is, without the apostrophe. */
const possessive = /(?<=^(?:(?:wo)?m[ae]n|child(?:ren)?))s$/;

/** `organiser` and `organizer`. */
const ised = /^([a-z]{3,}i)[sz](e|ed|er|ers|es|ing|ation|ations)$/;

/** A folded English text with each of its words in all the ways in which that is written: 16 at most. */
export const spellings = (text: string): string[] =>
  text.split(" ").reduce<string[]>(
    (heads, word) => {
      const forms = [...new Set([word, ...written(word)])];
      return heads.flatMap((head) => forms.map((form) => (head ? `${head} ${form}` : form))).slice(0, 16);
    },
    [""],
  );

/** A folded English word in all the ways in which it is written. */
export const written = (word: string): readonly string[] =>
  same.get(word.replace(possessive, "")) ??
  (ised.test(word) ? [word.replace(ised, "$1s$2"), word.replace(ised, "$1z$2")] : [word]);
