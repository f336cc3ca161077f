// Colours for code: one regular expression a language, run on the server and in the browser alike. Not a parser:
// what it does not know stays plain.
export type Language = "json" | "sh" | "ts" | "python" | "http" | "toml" | "text";
export type Kind = "key" | "string" | "number" | "keyword" | "comment" | "plain";

const grammars: Record<Exclude<Language, "text">, RegExp> = {
  json: /(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<number>-?\b\d[\d.]*(?:[eE][+-]?\d+)?)|(?<keyword>\b(?:true|false|null)\b)/g,
  sh: /(?<comment>(?<=^|\s)#.*)|(?<string>'[^']*'|"(?:\\.|[^"\\])*")|(?<key>(?<=\s)--?[a-zA-Z][\w-]*)|(?<number>\$\{?\w+\}?)|(?<keyword>(?<=^|\| )(?:curl|npx|npm|pip|claude|export|code)\b)/gm,
  ts: /(?<comment>\/\/.*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)|(?<number>\b\d[\d_.]*\b)|(?<keyword>\b(?:import|from|const|let|await|async|new|return|export|default|function|if|for|of|true|false|null|undefined)\b)|(?<key>\b\w+(?=:\s))/g,
  python:
    /(?<comment>#.*)|(?<string>f?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<number>\b\d[\d_.]*\b)|(?<keyword>\b(?:import|from|async|await|with|as|def|return|print|for|in|if|True|False|None)\b)/g,
  toml: /(?<comment>#.*)|(?<keyword>^\[.*\]$)|(?<key>^[\w-]+(?= =))|(?<string>"(?:\\.|[^"\\])*")|(?<number>\b(?:\d[\d_.]*|true|false)\b)/gm,
  http: /(?<keyword>^(?:POST|GET|HTTP\/[\d.]+ \d+)\b|\b(?:true|false|null)\b)|(?<key>^[\w-]+(?=: )|"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>(?<=^[\w-]+: ).*|"(?:\\.|[^"\\])*")|(?<number>-?\b\d[\d.]*\b)/gm,
};

/** The code in pieces, each of one kind; together they are the code. */
export function highlight(code: string, language: Language): { text: string; kind: Kind }[] {
  if (language === "text") return [{ text: code, kind: "plain" }];
  const pieces: { text: string; kind: Kind }[] = [];
  let end = 0;
  for (const match of code.matchAll(grammars[language])) {
    if (match.index > end) pieces.push({ text: code.slice(end, match.index), kind: "plain" });
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] as Kind;
    pieces.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end), kind: "plain" });
  return pieces;
}
