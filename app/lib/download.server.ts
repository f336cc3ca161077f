/** JSON to be saved, as people read it too. */
export const downloadJson = (fileName: string, value: unknown): Response =>
  download(fileName, "application/json; charset=utf-8", Buffer.from(JSON.stringify(value, null, 2)).toString("base64"));

/** A file to be saved, never shown. @param base64 its content */
export const download = (fileName: string, type: string, base64: string): Response =>
  new Response(Buffer.from(base64, "base64"), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${fileName}"` },
  });
