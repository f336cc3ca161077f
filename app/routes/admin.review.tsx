export const handle = { crumb: "Review" };
