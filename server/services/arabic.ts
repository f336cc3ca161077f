// What is written onto an Arabic word, and how its end changes. Words come folded (`fold.ts`).

export const isArabic = (word: string): boolean => /^(?=\p{L})\p{Script=Arabic}/u.test(word);

const articles = ["وال", "بال", "لل", "ال"];
/** "And", "with", "for" and "the". A single letter may as well be the word's own first: these are put on, and not taken off. */
export const prefixes: readonly string[] = ["", ...articles, "و", "ب", "ل"];

/** A word without "the", and what was written onto that; any other word as it is. */
export function withoutArticle(word: string): string {
  const article = isArabic(word)
    ? articles.find((one) => word.startsWith(one) && word.length - one.length > 2)
    : undefined;
  return article === undefined ? word : word.slice(article.length);
}

/** Endings of one, of many and of what belongs to something: ساعة and ساعات, ذهبي and ذهبية, رجال and رجالي. */
const endings = ["ات", "يه", "ية", "ي", "ه", "ة"];

/** Words that change within: أسود and سوداء, نساء and نسائي. */
const changing = new Map(
  [
    "نساء نسايي نسايية نساييه",
    "اسود سوداء سودا",
    "ابيض بيضاء بيضا",
    "احمر حمراء حمرا",
    "ازرق زرقاء زرقا",
    "اخضر خضراء خضرا",
    "اصفر صفراء صفرا",
  ]
    .map((line) => line.split(" "))
    .flatMap((group) => group.map((word) => [word, group] as const)),
);

/** A word as it may stand in a title: with and without its ending, and whatever is put on. Broken plurals are words of their own. */
export function forms(word: string): string[] {
  const bare = withoutArticle(word);
  const ending = endings.find((one) => bare.endsWith(one) && bare.length - one.length > 2);
  const stem = ending === undefined ? bare : bare.slice(0, -ending.length);
  const ended = changing.get(bare) ?? new Set([bare, stem, ...endings.map((one) => stem + one)]);
  return [...ended].flatMap((form) => prefixes.map((prefix) => prefix + form));
}
