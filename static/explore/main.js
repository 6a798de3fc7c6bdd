import { received } from "../charts/content.js";
import { stylesheets } from "../charts/stylesheets.js";
import { draw } from "./page.js";

await stylesheets("../charts/charts.css", "../explore/explore.css", "../explore/phone.css");

export default (sent) => draw(received(sent));
