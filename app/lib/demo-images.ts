// Pictures for the demo stores, whose merchants do not exist: drawn from the product's number, the same every time.
import {
  Armchair,
  Backpack,
  Bath,
  BedDouble,
  Bike,
  CookingPot,
  Dog,
  Flashlight,
  Flower2,
  Footprints,
  Lamp,
  type LucideIcon,
  Mountain,
  Package,
  Shirt,
  ShoppingBasket,
  Snowflake,
  Tent,
  Utensils,
  Waves,
} from "lucide-react";

// By the beginning of a product's number, which in the demo's catalogues says what it is.
const glyphs: [start: RegExp, glyph: LucideIcon][] = [
  [/^A\d|^RS-08/, Tent],
  [/^B\d|^HL1|^L\d|^RS-09/, BedDouble],
  [/^C\d|^RS-07/, Backpack],
  [/^D\d|^RS-03/, Footprints],
  [/^[EFO]\d|^RS-0[12]/, Shirt],
  [/^G\d|^HL4/, CookingPot],
  [/^H\d/, Flashlight],
  [/^I\d|^RS-0[456]/, Mountain],
  [/^J\d/, Bike],
  [/^K\d/, Waves],
  [/^M\d|^HL5/, Utensils],
  [/^N\d/, Armchair],
  [/^P\d/, Dog],
  [/^HL2/, Bath],
  [/^HL3/, Lamp],
  [/^HL6/, Flower2],
  [/^RS-11/, Snowflake],
  [/^RS/, ShoppingBasket],
];

const grounds: [ground: string, ink: string][] = [
  ["#e7ebe4", "#4d6650"],
  ["#e9e6f1", "#5d5389"],
  ["#f3e8df", "#8a5a38"],
  ["#e2ebf0", "#3f6579"],
  ["#f0e4e6", "#8b4a58"],
  ["#ecebdd", "#6e6935"],
];

/** What a product's picture is made of. @param name of the image's file, such as A01.svg */
export function demoPicture(name: string): { Glyph: LucideIcon; ground: string; ink: string; turn: number } | null {
  const number = /^([A-Z]{1,2}-?\d{1,6})\.svg$/.exec(name)?.[1];
  if (!number) return null;
  let seed = 0;
  for (const letter of number) seed = (seed * 31 + letter.charCodeAt(0)) % 9973;
  const [ground, ink] = grounds[seed % grounds.length]!;
  const Glyph = glyphs.find(([start]) => start.test(number))?.[1] ?? Package;
  return { Glyph, ground, ink, turn: (seed % 7) * 24 };
}
