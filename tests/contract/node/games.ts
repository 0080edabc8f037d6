// What the players of both clients share: the games that they create, and how they choose.

interface About {
  variant: string;
  seats: { min: number };
  options: { name: string }[];
}

/** The body that creates a game of few turns, made from what the service says about the variant. */
export function newGame({ variant, seats, options }: About) {
  const players = ["Ann", "Ben", "Cid", "Dee", "Eve"].slice(0, seats.min);
  const fewTurns = options.some(({ name }) => name === "max_turns") ? { options: { max_turns: 40 } } : {};
  return { variant, players, ...fewTurns };
}

/** A deterministic random choice, by a linear congruential generator. */
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
