// What English questions are rewritten by before their words are looked at: short forms, and words of goods that are no policies'.

/** What goods are free of, which costs nothing less. */
const contents =
  "gluten|lactose|dairy|milk|sugars?|nuts?|peanuts?|eggs?|soya?|wheat|alcohol|meat|fragrances?|perfumes?|parabens?|sulph?ates?|sulfates?|silicones?|preservatives|additives|chemicals|allergens|latex|nickel|lead|bpa|pfas|pvc|plastics?|cruelty|animal";

export const contractions: readonly [RegExp, string][] = [
  [/^hours\W*$/, "opening hours"],
  [/\bcan['’]?t\b/g, "cannot"],
  [/\bwon['’]?t\b/g, "not"],
  [/n['’]t\b/g, " not"],
  [/\b(do|does|did|is|was|has|have)nt\b/g, "$1 not"],
  [/['’](s|re|ll|ve|d|m)\b/g, ""],
  // The country, and not the people who ask: "tell us", "give us delivery dates".
  [
    /(^|\b(?:is|does|have|free|for|about|any|your|and|or|what|are) )us(?= (?:shipping|delivery|postage)\b)/g,
    "$1the us",
  ],
  [
    /\b((?:ship|shipping|postage|delivery|deliver) to )us\b(?! (?:by|on|before|at|in|here|today|tomorrow|this|next)\b)/g,
    "$1the us",
  ],
  // A size: "EU 38", "a US 9".
  [/\b(?:eu|uk|us) (?=\d)/g, ""],
  // Goods, which pay for nothing.
  [
    /\b(memory|sd|sim|greetings?|playing|tarot|trading|business|christmas|wedding|graphics|sound|score) cards?\b/g,
    "$1",
  ],
  [/\b(arch|ankle|knee|wrist|elbow|back|lumbar|neck|head|foot|hip|joint|immune|sleep|posture) support\b/g, "$1"],
  [/\b(skin|hair|nail|body|face|lip|foot|hand|oral|dental|beard|baby|pet|car|lawn|health|personal) care\b/g, "$1"],
  // What is free of something does not cost nothing.
  [new RegExp(`\\b(${contents})[\\s-]+free\\b`, "g"), "$1"],
  [new RegExp(`\\bfree (?:from|of) ((?:(?:any|all|added) )*(?:${contents}))\\b`, "g"), "$1"],
];
