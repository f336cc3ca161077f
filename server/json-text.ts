/** A JSON value as its text, made ready by the database: handed on as it is instead of being read and written again. */
export class JsonText {
  #quoted: string | undefined;

  constructor(readonly text: string) {}

  static of(value: unknown): JsonText {
    return value instanceof JsonText ? value : new JsonText(JSON.stringify(value));
  }

  /** The text as a JSON string: written once, where several answers have it. */
  get quoted(): string {
    this.#quoted ??= JSON.stringify(this.text);
    return this.#quoted;
  }
}
