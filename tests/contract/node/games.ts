// What the players of both clients share: whom they want to play with, and how they choose.

const players: [string, string] = ["Ann", "Ben"];

export const wishes = [
  { variant: "duel" as const, players, options: { max_turns: 40 } },
  { variant: "rivals" as const, players },
  { variant: "roll-and-write" as const, players },
  { variant: "treasure-hunt" as const, players, options: { max_turns: 40 } },
];

/** One of them, always the same in the same run: a linear congruential generator. */
export function chooser(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    const chosen = from[Math.floor((state / 2147483648) * from.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  };
}

export const isSeat = (actor: number | "chance"): actor is number => actor !== "chance";
