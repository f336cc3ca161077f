export const handle = { crumb: "Consumers" };
