// Words that hold a sentence together, in languages whose stop words the index keeps. Some are names too ("La Roche"): they
// are looked for first, and left out only of what finds nothing as it is.
import { fold } from "../fold";

const functionWords = new Set(
  fold(
    [
      "de da do das dos del el la los las lo um uma uns umas un una unos unas em en na no nas nos num numa ao aos al à às a o os as e y ou u",
      "para por pelo pela pelos pelas com con sem sin que se su sus seu sua mi mis meu minha é es são son este esta",
      "le les des du et aux au avec sans sur pour par chez dans mon ma mes d l",
      "il gli i della dei delle dello degli di nel nella per tra fra che mio mia alla alle allo ai agli dal dalla",
      "der die das den dem ein eine einen einem einer für mit ohne und oder von vom zum zur im am auf aus bei",
      "het een voor met zonder van op bij mijn of",
      "من في مع على الي عن و او هذا هذه التي الذي",
    ].join(" "),
  ).split(" "),
);

/** `text` without them, unless nothing else is left; as it is where something is quoted. */
export function withoutFunctionWords(text: string): string {
  if (/["“”„«]/.test(text)) return text;
  const words = text.trim().split(/\s+/);
  const kept = words.filter((word) => !functionWords.has(fold(word)));
  return kept.length > 0 && kept.length < words.length ? kept.join(" ") : text;
}
