import { received } from "../charts/content.js";
import { stylesheets } from "../charts/stylesheets.js";
import { draw } from "./page.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css");

export default (sent) => draw(received(sent));
