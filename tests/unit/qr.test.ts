// A QR code in a page is what scanners read.
import decodeQR from "qr/decode.js";
import { expect, it } from "vitest";
import { qrOf } from "../../app/account/qr.server";

it("a QR code is read by a scanner as the text that it was made of", () => {
  const text = `otpauth://totp/Aisle:${"long.address.".repeat(8)}%40example.com?secret=${"A2".repeat(16)}&issuer=Aisle`;
  const { size, path } = qrOf(text);
  const scale = 4;
  const width = size * scale;
  const pixels = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let i = 0; i < scale * scale; i++) {
      const at = (Number(y) * scale + Math.floor(i / scale)) * width + Number(x) * scale + (i % scale);
      pixels.fill(0, at * 4, at * 4 + 3);
    }
  expect(decodeQR({ width, height: width, data: pixels })).toBe(text);
});
