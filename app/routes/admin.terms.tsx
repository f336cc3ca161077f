export const handle = { crumb: "Terms" };
