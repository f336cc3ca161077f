import { useEffect, useRef } from "react";
import type { FormErrors } from "~/lib/api.server";
import { Banner } from "./banner";
import { LookAgain } from "./form-problem";

/** Above a page: that an act of a row, or of a dialog that is gone, was refused. It comes into view from wherever that stood. */
export function Refusal({
  errors,
  lookAgain,
}: {
  errors: FormErrors | undefined;
  /** The page's own address, where what somebody else changed is yet to be loaded. */
  lookAgain?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors) box.current?.scrollIntoView({ block: "nearest" });
  }, [errors]);
  return (
    errors && (
      <div ref={box}>
        <Banner
          actions={lookAgain && <LookAgain to={lookAgain} />}
          key={errors.requestId}
          title={errors.message}
          tone="danger"
        />
      </div>
    )
  );
}
