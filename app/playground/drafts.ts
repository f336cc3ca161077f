// What was typed for each tool, kept in this tab alone until it is closed or its person logs out: arguments, and nothing secret.

/** What stands for a tool. */
export interface Draft {
  text: string;
  /** Is it to be answered as the directory endpoint does? */
  isTicked: boolean;
}

type Drafts = Partial<Record<string, Draft>>;

const nameOf = (owner: string) => `aisle.drafts.${owner}`;

/** By tool. Without storage there is none, and nothing else fails. @param owner a person at a platform */
export function readDrafts(owner: string): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? "{}") as Drafts;
  } catch {
    return {};
  }
}

/** Nothing of it is kept of a tool for which nothing was typed. */
export function keepDraft(owner: string, tool: string, change: Pick<Draft, "isTicked"> | Draft): void {
  const drafts = readDrafts(owner);
  const draft = { ...drafts[tool], ...change };
  if (!("text" in draft)) return;
  try {
    sessionStorage.setItem(nameOf(owner), JSON.stringify({ ...drafts, [tool]: draft }));
  } catch {
    // Full, or not allowed: then it is kept within the page.
  }
}
