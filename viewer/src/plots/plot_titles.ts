import type { Curve } from "./curves.js";

/** What a channel shows: its quantity, which component of it, and of what. */
interface Shown {
  quantity: string; // "Reaction force"
  component: string; // "x"; "" where there is none
  of: string; // "at A"; "" for what is of the whole mechanism
}

const kWhole: Record<string, string> = {
  energy: "Mechanical energy",
  constraint_error: "Constraint error",
  power: "Power of all actuators",
  power_balance: "Power balance",
  observed: "Observed (1: all, 0: not all)",
};

/** Of estimates beside the motion: "mass:crank". */
const kUnknowns: Record<string, string> = {
  bias: "Bias of",
  force: "Unknown force along",
  mass: "Mass factor of",
  stiffness: "Stiffness factor of",
  damping: "Damping factor of",
  friction: "Friction factor of",
};

/** The last word of the name of a variable, what it means, and how its owner is named. By unit where that makes a difference. */
const kWords: readonly [RegExp, (unit: string) => string, string?][] = [
  [/^angle$/, () => "Angle"],
  [/^rate$/, (unit) => (unit === "rad/s" ? "Angular velocity" : "Rate of length")],
  [/^angular_acceleration$/, () => "Angular acceleration"],
  [/^e([0-3])$/, () => "Euler parameter"],
  [/^w([xyz])$/, () => "Angular velocity"],
  [/^alpha([xyz])$/, () => "Angular acceleration"],
  [/^([xyz])$/, () => "Position"],
  [/^v([xyz])$/, () => "Velocity"],
  [/^a([xyz])$/, () => "Acceleration"],
  [/^q(\d*)$/, (unit) => (unit === "rad" ? "Joint angle" : "Joint displacement")],
  [/^v(\d*)$/, (unit) => (unit === "rad/s" ? "Joint angular velocity" : "Joint velocity")],
  [/^a(\d*)$/, (unit) => (unit.startsWith("rad") ? "Joint angular acceleration" : "Joint acceleration")],
  [/^f([xyz])$/, () => "Reaction force", "at"],
  [/^m([xyz])$/, () => "Reaction moment", "at"],
  [/^effort$/, (unit) => (unit === "N" ? "Driving force" : "Driving torque")],
  [/^length$/, (unit) => (unit === "rad" ? "Angle" : "Length")],
  [/^force$/, (unit) => (unit === "N" ? "Force" : "Torque")],
  [/^friction(\d*)$/, (unit) => (unit === "N" ? "Friction force" : "Friction torque"), "at"],
];

function shownBy(curve: Curve): Shown | undefined {
  const { name, kind, unit, isReadings } = curve;
  if (isReadings) return { quantity: "Readings", component: "", of: `of ${name.split(".")[0] ?? name}` };
  const whole = kWhole[name];
  if (whole) return { quantity: whole, component: "", of: "" };
  const colon = name.indexOf(":");
  const unknown = kUnknowns[name.slice(0, Math.max(0, colon))];
  if (unknown) return { quantity: unknown, component: "", of: name.slice(colon + 1) };
  const owner = name.slice(0, Math.max(0, name.length - kind.length - 1));
  if (!owner) return undefined;
  for (const [word, quantity, before = "of"] of kWords) {
    const match = word.exec(kind);
    if (match) return { quantity: quantity(unit), component: match[1] ?? "", of: `${before} ${owner}` };
  }
  return undefined;
}

/** What a plot of these curves shows: "Angle of crank", "Reaction forces x at A, B and C". The names of channels where it is not known. */
export function plotTitle(all: readonly Curve[]): string {
  const computed = all.filter((curve) => !curve.isReadings);
  const curves = computed.length > 0 ? computed : all; // readings beside what they are readings of
  const names = distinct(curves.map(({ name }) => name));
  const shown = curves.map(shownBy);
  const [first] = shown;
  if (!first || shown.some((other) => other?.quantity !== first.quantity)) return listed(names);
  const owners = distinct(shown.flatMap((other) => (other?.of ? [other.of] : [])));
  const components = distinct(shown.map((other) => other?.component ?? ""));
  const quantity = owners.length > 1 ? plural(first.quantity) : first.quantity;
  const component = components.length === 1 && first.component ? ` ${first.component}` : "";
  const of = owners.length > 0 ? ` ${listedOwners(owners)}` : "";
  return `${quantity}${component}${owners.length > 1 && of.length > kLongestOwners ? "" : of}`; // the names of curves stand beside it
}

export function errorTitle(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? `Error of the ${title[0]!.toLowerCase()}${title.slice(1)}` : `Error of ${title}`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function plural(quantity: string): string {
  if (/(s|\bof|along)$/.test(quantity)) return quantity;
  return quantity.endsWith("y") ? `${quantity.slice(0, -1)}ies` : `${quantity}s`;
}

/** "of A, B and C": the word before the names once. */
function listedOwners(owners: readonly string[]): string {
  const [first = ""] = owners;
  const word = first.includes(" ") ? first.slice(0, first.indexOf(" ") + 1) : "";
  return word + listed(owners.map((owner) => (owner.startsWith(word) ? owner.slice(word.length) : owner)));
}

const kMostListed = 3;
const kLongestOwners = 28; // characters

function listed(names: readonly string[]): string {
  if (names.length > kMostListed) return `${names[0]} … ${names[names.length - 1]}`;
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : (names[0] ?? "");
}
