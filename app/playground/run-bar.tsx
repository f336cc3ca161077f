import { Link2, Play } from "lucide-react";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { useToast } from "~/ui/toast";
import { callLink, isLinkable } from "./run";

/** Run, and what else can be done with the arguments. */
export function RunBar({
  tool,
  text,
  example,
  isPending,
  directory,
  onText,
}: {
  tool: string;
  text: string;
  /** Arguments that work on the demo store, as JSON text. */
  example: string;
  isPending: boolean;
  /** Null where there is no directory endpoint to answer as. */
  directory: { isChosen: boolean; onChange: (isChosen: boolean) => void } | null;
  onText: (text: string) => void;
}) {
  return (
    <div className="foot-bar flex flex-wrap items-center gap-x-2 gap-y-3 border-line border-t bg-sunken px-4 py-3 sm:gap-x-4 [@media(min-height:30rem)]:max-lg:sticky max-lg:bottom-0 max-lg:z-10 md:px-6">
      {directory && (
        <div className="max-lg:basis-full">
          <CheckboxField
            checked={directory.isChosen}
            label="As the directory endpoint answers"
            name="asDirectory"
            onChange={directory.onChange}
          />
        </div>
      )}
      <Button icon={<Play aria-hidden />} pending={isPending} type="submit" variant="primary">
        Run
      </Button>
      <kbd className="text-faint text-xs noscript:hidden max-lg:hidden pointer-coarse:hidden">Ctrl + Enter</kbd>
      <div className="ml-auto flex flex-wrap gap-2 noscript:hidden">
        <Button onClick={() => onText(example)} size="sm">
          Example
        </Button>
        <Button onClick={() => onText("{}")} size="sm">
          Empty
        </Button>
        <CopyLink asDirectory={directory?.isChosen ?? false} text={text} tool={tool} />
      </div>
    </div>
  );
}

function CopyLink({ tool, text, asDirectory }: { tool: string; text: string; asDirectory: boolean }) {
  const toast = useToast();
  const copy = async () => {
    const link = callLink(tool, text, asDirectory);
    if (!isLinkable(link)) return toast("These arguments are too long for a link.", "warning");
    try {
      await navigator.clipboard.writeText(new URL(link, window.location.href).href);
      toast("Link copied. It contains the tool and its arguments, and no secrets.");
    } catch {
      toast("Could not copy: the browser did not allow it.", "warning");
    }
  };
  return (
    <Button icon={<Link2 aria-hidden className="max-sm:hidden" />} onClick={copy} size="sm">
      Copy link
    </Button>
  );
}
