// What a colour means, for every part that has one.
export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

export const softTone: Record<Tone, string> = {
  neutral: "bg-raised text-muted",
  accent: "bg-accent-soft text-accent",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
};
