// What the fields of records are called in words, and what stands in them.

const names: Record<string, string> = {
  account: "Person",
  accountId: "Person",
  aiDiscovery: "AI Discovery",
  decisionReason: "Reason",
  directorySlug: "Directory endpoint",
  endsAt: "Ends",
  expiresAt: "Expires",
  isPrimary: "Primary",
  maxKeys: "Maximum keys",
  minimumPurchaseAmount: "Minimum purchase, in minor units",
  moneyOffAmount: "Money off, in minor units",
  playgroundRateLimit: "Playground: calls per minute",
  productName: "Product",
  rateLimit: "Requests per minute",
  revokeOld: "Old key revoked",
  sandboxMaxKeys: "Sandbox: maximum keys",
  sandboxRateLimit: "Sandbox: requests per minute",
  sandboxScopes: "Sandbox: scopes",
  shopperUse: "Use",
  startsAt: "Starts",
  utmSource: "utm_source",
};

/** `contactPoint.email` → "Contact point: email" */
export const fieldName = (path: string): string =>
  path
    .split(".")
    .map((name, i) => (Object.hasOwn(names, name) ? names[name]! : inWords(name, i === 0)))
    .join(": ");

const inWords = (name: string, isFirst: boolean): string => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/\burl\b/, "URL");
  return isFirst ? words.charAt(0).toUpperCase() + words.slice(1) : words;
};

/** Values that are words of ours, without the database's underscores. */
const worded = new Set(["approvalRule", "coverage", "revokedFrom", "state", "tier"]);

/** @param other what stands on the other side of a change */
export function valueName(field: string, value: string, other: unknown): string {
  // As everywhere: what is revoked while it is under review is rejected.
  if (field === "state" && value === "revoked" && other === "under_review") return "rejected";
  return worded.has(field) ? value.replaceAll("_", " ") : value;
}
