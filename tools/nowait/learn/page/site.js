// Shared by all pages: theme, search, keys; slides where there is a lecture.
import {help} from "./help.js";
import {keys} from "./keys.js";
import {search} from "./search.js";
import {slides} from "./slides.js";
import {theme} from "./theme.js";

keys(slides(), search(), theme(), help());

// A narrow screen begins with the text and not with the list of its parts.
const contents = document.querySelector("details.contents");
if (contents && matchMedia("(max-width: 70rem)").matches) contents.open = false;
