import type { LoaderFunctionArgs } from "@remix-run/node";

/** A file to be saved, never shown. Its name may come from an address, so only letters, digits and "_.-" stay in it. */
export function download(fileName: string, type: string, body: BodyInit): Response {
  const plain = fileName.replace(/[^\w.-]+/g, "-");
  const whole = fileName.replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-");
  const inItsScript = whole === plain ? "" : `; filename*=UTF-8''${encodeURIComponent(whole)}`;
  return new Response(body, {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${plain}"${inItsScript}` },
  });
}

/** Does somebody get the file: neither its head alone, nor its data for a page's script? */
export const isRead = ({ request, context }: LoaderFunctionArgs): boolean =>
  request.method !== "HEAD" && !context.isData;

export const CSV = "text/csv; charset=utf-8";
