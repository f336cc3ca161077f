export const handle = { crumb: "Docs" };
