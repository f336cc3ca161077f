import type { ReactNode } from "react";
import { useShown } from "~/lib/use-shown";
import { cx } from "~/ui/cx";
import { controlLook, FieldError } from "~/ui/field";
import { FilterSelect } from "~/ui/filter-select";
import { SearchForm } from "~/ui/search-form";
import type { Option } from "~/ui/select-box";
import type { TypedFilters } from "./requests";

const outcomes: Option[] = [
  { value: "answered", label: "Answered" },
  { value: "failed", label: "Errors and refusals" },
  { value: "error", label: "Errors" },
  { value: "refused", label: "Refused" },
  { value: "401", label: "401: key refused" },
  { value: "403", label: "403: scope lacking" },
  { value: "429", label: "429: over the limit" },
  { value: "500", label: "500: failed on our side" },
  { value: "interrupted", label: "Interrupted" },
];

/** The log's filters, as a form whose answer has an address. */
export function RequestFilters({
  typed,
  problems,
  tools,
  keys,
  page,
  children,
}: {
  typed: TypedFilters;
  /** By field, as the procedure calls it. */
  problems: Record<string, string>;
  tools: string[];
  /** None for operators. */
  keys?: { id: string; name: string }[];
  page: string;
  /** Further filters. */
  children?: ReactNode;
}) {
  const isFiltered = Object.values(typed).some((value) => value !== undefined);
  return (
    <div className="flex flex-col gap-3">
      <SearchForm clearTo={isFiltered && page} error={problems.requestId} label="Request id" name="id" value={typed.id}>
        {children}
        <FilterSelect
          all="Any tool"
          error={problems.tool}
          label="Tool"
          name="tool"
          options={tools.map((tool) => ({ value: tool, label: tool }))}
          value={typed.tool}
        />
        <FilterSelect
          all="Any outcome"
          error={problems.outcome}
          label="Outcome"
          name="outcome"
          options={outcomes}
          value={typed.outcome}
        />
        {keys && (keys.length > 0 || typed.key) && (
          <FilterSelect
            all="Any key"
            error={problems.keyId}
            label="Key"
            name="key"
            options={keys.map(({ id, name }) => ({ value: id, label: name }))}
            value={typed.key}
          />
        )}
        <span className="contents lg:flex lg:gap-2">
          <Moment error={problems.from} label="From" name="from" value={typed.from} />
          <Moment error={problems.to} label="To" name="to" value={typed.to} />
        </span>
        {typed.code && <input name="code" type="hidden" value={typed.code} />}
      </SearchForm>
      {typed.code && (
        <p className="text-[0.8125rem] text-muted">
          Only those with the code <code className="font-mono text-ink">{typed.code}</code>.
        </p>
      )}
      <FieldError id="code-problem">{problems.code}</FieldError>
    </div>
  );
}

const look = cx(controlLook, "h-9 pointer-coarse:h-11");

const Moment = ({
  label,
  name,
  value,
  error,
}: {
  label: string;
  name: string;
  value: string | undefined;
  error: string | undefined;
}) => (
  <div className="flex flex-col gap-1.5 max-lg:basis-full">
    <label className="flex max-[22.5rem]:flex-col items-center max-[22.5rem]:items-start gap-2 text-[0.8125rem] text-muted">
      <span className="shrink-0 whitespace-nowrap max-lg:w-20">
        {label}
        {/* Said once where both stand on one line: with it twice, Search would not fit beside them. */}
        <span className={cx(name === "to" && "lg:max-xl:hidden")}> (UTC)</span>
      </span>
      <input
        aria-describedby={error && `${name}-problem`}
        aria-invalid={error ? true : undefined}
        aria-label={`${label} (UTC)`}
        className={cx(look, "lg:w-auto! lg:px-2 lg:max-xl:px-1.5")}
        defaultValue={value}
        name={name}
        ref={useShown<HTMLInputElement>(value)}
        title="UTC"
        type="datetime-local"
      />
    </label>
    <FieldError id={`${name}-problem`}>{error}</FieldError>
  </div>
);
