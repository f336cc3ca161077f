const counts = new Intl.NumberFormat("en");

/** 1234567 → "1,234,567" */
export const grouped = (count: number) => counts.format(count);
