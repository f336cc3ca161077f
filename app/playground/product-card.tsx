import { ExternalLink, ImageOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import type { Tone } from "~/ui/tone";
import { pictureOf } from "./pictures";
import type { Product } from "./shapes";

const tones: Record<string, Tone> = {
  in_stock: "success",
  out_of_stock: "danger",
  preorder: "accent",
  backorder: "warning",
};

/** A product as a shopper would see it. `wide` lays it out in a row, with room for more. */
export function ProductCard({
  product,
  wide = false,
  children,
}: {
  product: Product;
  wide?: boolean;
  children?: ReactNode;
}) {
  const { title, brand, store_name, availability, rating, product_url, product_id } = product;
  return (
    <article
      className={`flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface ${wide ? "sm:flex-row" : ""}`}
    >
      <Picture className={wide ? "sm:w-64" : ""} link={product.image_link} />
      <div className="flex min-w-0 grow flex-col gap-2 p-4">
        <div className="flex min-w-0 flex-col gap-0.5">
          {brand && <span className="own-direction text-left truncate text-faint text-xs">{brand}</span>}
          <h4 className="own-direction text-left wrap-anywhere font-medium text-sm leading-5">{title}</h4>
        </div>
        <Price {...product} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-xs">
          {availability && (
            <Badge tone={tones[availability.status] ?? "neutral"}>{availability.status.replaceAll("_", " ")}</Badge>
          )}
          {rating && (
            <span className="tabular-nums">
              {rating.value} of {rating.scale_max}
              {rating.count !== undefined && ` (${grouped(rating.count)})`}
            </span>
          )}
        </div>
        {children}
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-1 text-xs">
          <span className="min-w-0 truncate text-faint">
            {store_name ? `${store_name}, ` : ""}
            <code className="font-mono">{product_id}</code>
          </span>
          {product_url && /^https?:/.test(product_url) && (
            <a
              className="inline-flex items-center gap-1 rounded font-medium text-accent hover:underline pointer-coarse:-my-1.5 pointer-coarse:h-10"
              href={product_url}
              rel="noreferrer"
              target="_blank"
            >
              product_url <ExternalLink aria-hidden className="size-3" />
              <span className="sr-only">of {title}, opens in a new tab</span>
            </a>
          )}
        </div>
      </div>
    </article>
  );
}

function Price({ price, sale_price, price_range }: Product) {
  if (price_range && price_range.min.formatted !== price_range.max.formatted) {
    return (
      <p className="font-semibold tabular-nums">
        {price_range.min.formatted} to {price_range.max.formatted}
      </p>
    );
  }
  if (!price) return null;
  return (
    <p className="flex items-baseline gap-2 font-semibold tabular-nums">
      {(sale_price ?? price).formatted}
      {sale_price && (
        <s className="font-normal text-faint text-sm">
          <span className="sr-only">before: </span>
          {price.formatted}
        </s>
      )}
    </p>
  );
}

/** Loads when it comes near the window, and tells the merchant's host nothing of the page. */
function Picture({ link, className }: { link: unknown; className: string }) {
  const [isBroken, setBroken] = useState(false);
  const src = pictureOf(link);
  return (
    <div
      className={`flex aspect-4/3 shrink-0 items-center justify-center overflow-hidden bg-raised text-faint ${className}`}
    >
      {src && !isBroken ? (
        <img
          alt=""
          className="size-full object-cover"
          decoding="async"
          height="300"
          loading="lazy"
          onError={() => setBroken(true)}
          referrerPolicy="no-referrer"
          src={src}
          width="400"
        />
      ) : (
        <ImageOff aria-hidden className="size-6" />
      )}
    </div>
  );
}
