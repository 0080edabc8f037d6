// Asks for the sentences and for what the first screen shows, while the browser still loads its other modules.

import * as address from "./address.js";
import { Api } from "./api.js";
import { loadTexts } from "./texts.js";

export const api = new Api();
if (!address.read(location.hash)) api.ahead("variants");
/** Resolves when sentences can be made. */
export const texts = loadTexts();
