// A text as a QR code, for an SVG in the page: `qr` stays on the server.
import encodeQR from "qr";

const QUIET_ZONE = 4;

interface QrCode {
  /** Modules a side, with the quiet zone that scanners need. */
  size: number;
  /** The dark modules, as an SVG path of that size. */
  path: string;
}

export function qrOf(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: dark.join("") };
}
