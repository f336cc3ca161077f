// The merchant's own link with the platform's credit in it.
import type { Consumer } from "../context";

type Credited = Pick<Consumer, "tier" | "slug" | "utmSource">;

/**
 * `link` with utm_source, utm_medium, utm_campaign and utm_content set. Other parameters and the fragment stay to the
 * byte; a parameter of these four that is already there is replaced, never doubled.
 * @param link absolute http(s) URL from the feed
 * @param productId of what is linked, as the answer that has the link names it; of an offer, its product's
 */
export function productUrl(link: string, productId: string, consumer: Credited): string {
  const source = consumer.tier === "production" && consumer.utmSource ? consumer.utmSource : "aisle_sandbox";
  const credit = new URLSearchParams({
    utm_source: source,
    utm_medium: "ai_agent",
    utm_campaign: consumer.slug,
    utm_content: productId,
  });
  const hash = link.indexOf("#");
  const fragment = hash < 0 ? "" : link.slice(hash);
  const whole = hash < 0 ? link : link.slice(0, hash);
  const question = whole.indexOf("?");
  if (question < 0) return `${whole}?${credit}${fragment}`;
  const kept = whole
    .slice(question + 1)
    .split("&")
    .filter((pair) => pair !== "" && !credit.has(parameterName(pair)));
  return `${whole.slice(0, question)}?${[...kept, credit.toString()].join("&")}${fragment}`;
}

/** The name as a server would read it: percent-decoding and case do not hide a parameter. */
const parameterName = (pair: string): string => ([...new URLSearchParams(pair).keys()][0] ?? "").toLowerCase();
