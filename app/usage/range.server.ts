const ranges = ["1h", "24h", "7d", "30d", "90d"] as const;

/** The range that an address asks for; 24 hours where it asks for none that there is. */
export function rangeOf(request: Request): (typeof ranges)[number] {
  const asked = new URL(request.url).searchParams.get("range");
  return ranges.find((range) => range === asked) ?? "24h";
}

const tables = ["time", "tool", "store", "key", "client", "locale", "error", "consumer"] as const;

/** Which table of a report an address asks for; over time where it asks for none that there is. */
export function tableOf(request: Request): (typeof tables)[number] {
  const asked = new URL(request.url).searchParams.get("by");
  return tables.find((table) => table === asked) ?? "time";
}
