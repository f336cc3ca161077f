// What a page may load, and who may frame it: the headers of whatever the site answers, beside those of every answer (edge.ts).

/** @param page `pictures`: where images may come from, besides us */
export function securityHeaders(
  nonce: string,
  { development, pictures }: { development: boolean; pictures: string },
): Record<string, string> {
  const policy = {
    "default-src": "'none'",
    "object-src": "'none'",
    "script-src": `'self' 'nonce-${nonce}'`,
    // Vite injects styles while developing.
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "img-src": `'self' data: ${pictures}`.trim(),
    "font-src": "'self'",
    "connect-src": development ? "'self' ws:" : "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
  };
  return {
    "content-security-policy": Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "x-frame-options": "DENY",
    // Not "no-referrer": browsers then send Origin: null with forms of our own.
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
}
