import { received } from "../charts/packed_content.js";
import { plotly } from "../charts/plotly.js";
import { stylesheets } from "../charts/stylesheets.js";
import { draw } from "./page.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css");

export default async (sent, palette) => draw(await received(sent), palette, await plotly);
