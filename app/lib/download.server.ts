import type { LoaderFunctionArgs } from "@remix-run/node";

/** A file to be saved, never shown. Its name may come from an address, so only plain characters stay in it. */
export const download = (fileName: string, type: string, body: BodyInit): Response =>
  new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${fileName.replace(/[^\w.-]+/g, "-")}"`,
    },
  });

/** Does somebody get the file: neither its head alone, nor its data for a page's script? */
export const isRead = ({ request, context }: LoaderFunctionArgs): boolean =>
  request.method !== "HEAD" && !context.isData;

export const CSV = "text/csv; charset=utf-8";
