"""What is proposed for files as programs write them."""

import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import Escape, TextFileFormat
from dpca_core.tables.proposed_format import notices, proposed_format

FORM = TextFileFormat()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x,y\n1,2\n3,4\n", FORM),
        ("x;y\n1,5;2\n3;4,5\n", TextFileFormat(";", ",")),
        ("x;y\n1.234,5;2\n3;4,5\n", TextFileFormat(";", ",", ".")),
        ('x,y\n"1,234",2\n3,4\n', TextFileFormat(",", ".", ",")),
        ("x\ty\n1\t2\n", TextFileFormat("\t")),
        ("x;y\n€ 1.234,50;−2\n€ 3,10;4 %\n", TextFileFormat(";", ",", ".")),
        ("sep=;\nx;y\n1;2\n", TextFileFormat(";", skip=1)),
        ("Clinic, 2024\n\n# made up\nx;y;z\n1,5;2;3\n4;5;6\n", TextFileFormat(";", ",", skip=3)),
        ("Clinic;;\n;;\nx;y;z\n1,5;2;3\n4;5;6\n", TextFileFormat(";", ",", skip=2)),
        ("x,y\r1,2\r3,4\r", TextFileFormat(cr_ends_lines=True)),
        ('x,y\n1,"a \\"b\\""\n', TextFileFormat(escape=Escape.BACKSLASH)),
        ('x,y\n1,"a ""b"" \\""""\n', FORM),
        ('"x","y"\n"a;b;c","d;e;f"\n', FORM),
        ('x,remark\n1,"one\ntwo, three"\n2,c\n', FORM),
        ("name\nann\n", FORM),
    ],
)
def test_what_is_proposed(text, wanted):
    assert proposed_format("t.csv", text.encode()) == wanted


@pytest.mark.parametrize("head", [b"", b"\n \n", b"\xef\xbb\xbf\r\n"])
def test_an_empty_file_is_refused(head):
    with pytest.raises(TableError, match=r"t\.csv is empty\."):
        proposed_format("t.csv", head)


@pytest.mark.parametrize(
    ("text", "form", "word"),
    [
        ('x,y\n1,"a \\"b"\n', FORM, "double"),
        ("x,y\n1,a\rb\n", FORM, "carriage"),
        ('x,y\n1,"a\n2,b\n3,c\n', FORM, "never to be closed"),
        ('x,y\n1,"a"b\n', FORM, "closing quotation mark"),
        ('x,y\n1,"a ""b""\n2,c"\n', FORM, None),
        ('x,y\n1,"a\n2,b\n', TextFileFormat(escape=Escape.NONE), None),
    ],
)
def test_signs_that_marks_are_written_otherwise(text, form, word):
    found = notices(text.encode(), form)
    assert bool(found) == (word is not None)
    assert word is None or any(word in sentence for sentence in found)
