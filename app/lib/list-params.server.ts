/** What a list's loader reads of its address. */
export function listParams(request: Request): { query: string; cursor: string | undefined; params: URLSearchParams } {
  const { searchParams: params } = new URL(request.url);
  return { query: params.get("q")?.trim() ?? "", cursor: params.get("cursor") ?? undefined, params };
}
