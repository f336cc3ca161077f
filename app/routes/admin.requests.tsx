export const handle = { crumb: "Requests" };
