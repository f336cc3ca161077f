import { Banner } from "~/ui/banner";
import { TextLink } from "~/ui/text-link";

/** Where the mail went, on an installation without a mail server. */
export const LocalMailHint = () => (
  <Banner title="No mail server is set up here">
    Emails from this installation are shown at <TextLink to="/dev/mail">/dev/mail</TextLink>.
  </Banner>
);
