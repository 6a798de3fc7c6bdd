import { pageOf } from "../charts/page.js";
import { stylesheets } from "../charts/stylesheets.js";
import { build, paint } from "./page.js";

await stylesheets("../charts/charts.css", "../chart_grid/chart_grid.css");

export default pageOf("sheets", { build, paint, arrive: () => true });
