/** The look of what unfolds where it stands: browsers' own triangles are hidden, so the line says that it is a button. */
export const summaryLook =
  "w-fit rounded text-[0.8125rem] underline decoration-dotted underline-offset-4 hover:text-ink pointer-coarse:py-2.5";
