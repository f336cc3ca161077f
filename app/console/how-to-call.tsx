import { ButtonLink } from "~/ui/button";
import { useCurrent } from "./current";

/** The next action of an empty list of calls; none where access is revoked, for every call is refused. */
export const HowToCall = () =>
  useCurrent().state === "revoked" ? null : (
    <ButtonLink size="sm" to="/console#connect">
      See how to call
    </ButtonLink>
  );
