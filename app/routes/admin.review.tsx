// Names the pages below in the breadcrumb.
export { Outlet as default } from "@remix-run/react";

export const handle = { crumb: "Review" };
