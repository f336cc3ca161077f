// The one table of colours, light beside dark; app/tailwind.css picks the side, every other file uses the names.
import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";

type Pair = readonly [light: string, dark: string];

export const colours = {
  canvas: ["#fafafb", "#0b0b0d"],
  surface: ["#ffffff", "#121215"],
  raised: ["#f3f3f5", "#1b1b1f"],
  control: ["#ffffff", "#1c1c21"],
  "control-hover": ["#f3f3f5", "#27272d"],
  sunken: ["#f7f7f9", "#0e0e11"],
  line: ["#e5e5ea", "#27272d"],
  // The border of what can be typed in or ticked: 3:1 against what lies beneath (WCAG 1.4.11).
  edge: ["#8b8b97", "#66666f"],
  ink: ["#17171c", "#ececf0"],
  muted: ["#5a5a66", "#a3a3af"],
  faint: ["#6a6a76", "#8e8e9a"],
  accent: ["#4a42d8", "#a9a4ff"],
  "accent-fill": ["#4f46e5", "#5a51e8"],
  "accent-fill-hover": ["#423ac9", "#665eec"],
  "accent-soft": ["#eeeefc", "#1f1d3a"],
  "accent-ink": ["#ffffff", "#ffffff"],
  success: ["#17663b", "#67d391"],
  "success-soft": ["#e6f5ec", "#11281b"],
  "success-mark": ["#2b9a5c", "#3fa96d"],
  warning: ["#855000", "#efbc62"],
  "warning-soft": ["#fcf3df", "#2b2110"],
  "warning-mark": ["#c47f0b", "#cf9430"],
  danger: ["#b3261e", "#ff8f87"],
  "danger-soft": ["#fdeceb", "#351716"],
  "danger-fill": ["#c5322a", "#c8362e"],
  "danger-fill-hover": ["#a8241d", "#d23c34"],
  "danger-mark": ["#dc4a41", "#e0564d"],
  "code-key": ["#4a42d8", "#aeb4ff"],
  "code-string": ["#17663b", "#86d9a6"],
  "code-number": ["#8a4b00", "#f0be7d"],
  "code-keyword": ["#9b2677", "#f29bd0"],
  "code-comment": ["#6a6a76", "#8e8e9a"],
  veil: ["rgb(15 15 20 / 0.4)", "rgb(0 0 0 / 0.65)"],
  shade: ["rgb(15 15 25 / 0.1)", "rgb(0 0 0 / 0.6)"],
} as const satisfies Record<string, Pair>;

const names = Object.keys(colours) as (keyof typeof colours)[];
const variables = Object.fromEntries(names.map((name) => [`--${name}`, `light-dark(${colours[name].join(", ")})`]));

export default {
  content: ["./app/**/*.{ts,tsx}"],
  theme: {
    extend: {
      colors: Object.fromEntries(names.map((name) => [name, `var(--${name})`])),
      fontFamily: {
        sans: ['"Inter Variable"', '"Inter Fallback"', "system-ui", "sans-serif"],
        mono: ['"JetBrains Mono Variable"', "ui-monospace", "SFMono-Regular", "Menlo", "monospace"],
      },
      boxShadow: {
        card: "0 1px 2px 0 var(--shade)",
        float: "0 0 0 1px var(--line), 0 12px 32px -8px var(--shade), 0 4px 12px -4px var(--shade)",
      },
    },
  },
  plugins: [plugin(({ addBase }) => addBase({ ":root": variables }))],
} satisfies Config;
