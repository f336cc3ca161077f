const ranges = ["1h", "24h", "7d", "30d", "90d"] as const;

/** The range that an address asks for; 24 hours where it asks for none that there is. */
export function rangeOf(request: Request): (typeof ranges)[number] {
  const asked = new URL(request.url).searchParams.get("range");
  return ranges.find((range) => range === asked) ?? "24h";
}

/** A file to keep; its text is a person's own. Its name may come from an address, so only plain characters stay in it. */
export const download = (text: string, name: string) =>
  new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`,
      "cache-control": "no-store",
    },
  });

const tables = ["time", "tool", "store", "key", "client", "locale", "error", "consumer"] as const;

/** Which table of a report an address asks for; over time where it asks for none that there is. */
export function tableOf(request: Request): (typeof tables)[number] {
  const asked = new URL(request.url).searchParams.get("by");
  return tables.find((table) => table === asked) ?? "time";
}
