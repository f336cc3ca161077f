/** A file to be saved, never shown. @param base64 its content */
export const download = (fileName: string, type: string, base64: string): Response =>
  new Response(Buffer.from(base64, "base64"), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${fileName}"` },
  });
