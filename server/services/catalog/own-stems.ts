// English words that share their stem with another thing, or with what is said of anything: bedding and a bed, clothing and a cloth, what
// is organic and an organizer, a comforter and what is comfortable, a container and what something contains. They stand in the index, and are asked for, under a stem of their own. What is said of the same things ("camping" and a camp) is
// not among them.
const groups = `
  bedding beddings
  clothing clothes
  legging leggings
  stocking stockings
  dressing dressings
  coating coatings coated
  bearing bearings
  boxing
  bowling
  training
  seasoning seasonings
  icing icings
  organic organics
  university universities
  anime
  comforter comforters
  conditioner conditioners
  container containers
  opener openers
  recorder recorders
  designer designers
  fitness
  mobility
  evening evenings
  fishing
  packing
  matching
  topping toppings
  coloring colorings colouring colourings
  personalized personalised
  brushed
  rugged
  based`;

// No English ending: no stemmer takes it off.
const stems = new Map(
  groups
    .trim()
    .split("\n")
    .flatMap((line) => {
      const words = line.trim().split(" ");
      return words.map((word) => [word, `${words[0]}x`] as const);
    }),
);

/** A folded word as it is indexed and asked for. */
export const apart = (word: string): string => stems.get(word) ?? word;
