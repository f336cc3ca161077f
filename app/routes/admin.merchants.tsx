export const handle = { crumb: "Merchants" };
