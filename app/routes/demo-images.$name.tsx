// The demo stores' pictures, as SVG of our own.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { demoPicture } from "~/lib/demo-images";

export function loader({ params }: LoaderFunctionArgs) {
  const picture = demoPicture(params.name ?? "");
  if (!picture) return Response.json({ message: "There is no such picture." }, { status: 404 });
  const { Glyph, ground, ink, turn } = picture;
  const svg = renderToStaticMarkup(
    <svg height="300" viewBox="0 0 400 300" width="400" xmlns="http://www.w3.org/2000/svg">
      <title>Demo product</title>
      <rect fill={ground} height="300" width="400" />
      <circle cx={60 + turn * 2} cy="300" fill={ink} opacity="0.07" r="190" />
      <circle cx={380 - turn} cy="20" fill={ink} opacity="0.06" r="120" />
      <Glyph color={ink} height="112" strokeWidth={1.1} width="112" x="144" y="94" />
    </svg>,
  );
  return new Response(svg, {
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" },
  });
}
