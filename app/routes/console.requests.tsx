import { Outlet } from "@remix-run/react";

export const handle = { crumb: "Requests" };

export default Outlet;
