"""Workbooks for tests, of any XML: as the formats of Excel and LibreOffice have them."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl

from dpca_core.tables.files import Upload

AB = (
    '<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'
    '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>'
)
"""A header of two columns, and a row."""
_NAMES = "urn:oasis:names:tc:opendocument:xmlns"


def saved(*rows, second=()):
    """A workbook that openpyxl saves; ``second`` are rows of another sheet."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for sheet, content in ((book.active, rows), (book.create_sheet("Second"), second)):
        for row in content:
            sheet.append([*row])
    book.save(out)
    return Upload("t.xlsx", out.getvalue())


def xlsx(rows, **parts):
    """A workbook with this XML of the first sheet's rows; ``parts`` are more files, or others."""
    with ZipFile(io.BytesIO(saved().content)) as book:
        files = {name: book.read(name).decode() for name in book.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    files[sheet] = files[sheet].replace("</sheetData>", f"{rows}</sheetData>")
    return _packed("t.xlsx", files | parts)


def ods(*rows):
    """An OpenDocument workbook of one sheet."""
    spaces = " ".join(f'xmlns:{n}="{_NAMES}:{n}:1.0"' for n in ("office", "table", "text"))
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet><table:table "
        f'table:name="Table">{"".join(rows)}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = f'<m:manifest xmlns:m="{_NAMES}:manifest:1.0"/>'
    parts = {"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content}
    return _packed("t.ods", parts)


def ods_row(*cells, times=1):
    """A row of texts and numbers; a whole number in a list is as many empty cells."""
    xml = ""
    for cell in cells:
        if isinstance(cell, list):
            xml += f'<table:table-cell table:number-columns-repeated="{cell[0]}"/>'
            continue
        kind = "string" if isinstance(cell, str) else f'float" office:value="{cell}'
        text = f"<text:p>{cell}</text:p>"
        xml += f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'
    return f'<table:table-row table:number-rows-repeated="{times}">{xml}</table:table-row>'


def _packed(name, parts):
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return Upload(name, out.getvalue())
