// The merchant's own link with the platform's credit in it.
import type { Consumer } from "../context";

const CREDIT = new Set(["utm_source", "utm_medium", "utm_campaign", "utm_content"]);

type Credited = Pick<Consumer, "tier" | "slug" | "utmSource">;

/**
 * `link` with utm_source, utm_medium, utm_campaign and utm_content set. Other parameters and the fragment stay to the
 * byte; a parameter of these four that is already there is replaced, never doubled.
 * @param link absolute http(s) URL from the feed
 * @param productId of what is linked, as the answer that has the link names it; of an offer, its product's
 */
export function productUrl(link: string, productId: string, consumer: Credited): string {
  const source = consumer.tier === "production" && consumer.utmSource ? consumer.utmSource : "aisle_sandbox";
  const credit = `utm_source=${encoded(source)}&utm_medium=ai_agent&utm_campaign=${encoded(consumer.slug)}&utm_content=${encoded(productId)}`;
  const hash = link.indexOf("#");
  const fragment = hash < 0 ? "" : link.slice(hash);
  const whole = hash < 0 ? link : link.slice(0, hash);
  const question = whole.indexOf("?");
  if (question < 0) return `${whole}?${credit}${fragment}`;
  const kept = whole
    .slice(question + 1)
    .split("&")
    .filter((pair) => pair !== "" && !CREDIT.has(parameterName(pair)));
  return `${whole.slice(0, question)}?${[...kept, credit].join("&")}${fragment}`;
}

/** As application/x-www-form-urlencoded has it. Most values have nothing to encode, and each card of a list has several. */
const encoded = (value: string): string =>
  /^[\w.*-]*$/.test(value) ? value : new URLSearchParams([["", value]]).toString().slice(1);

/** The name as a server would read it: percent-decoding and case do not hide a parameter. */
const parameterName = (pair: string): string => ([...new URLSearchParams(pair).keys()][0] ?? "").toLowerCase();
