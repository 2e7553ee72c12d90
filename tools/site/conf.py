# What Sphinx asks for to make the site of what tools/site.lua has gathered.
import os

project = "lunarray"
release = version = os.environ["LUN_RELEASE"]
copyright = "lunarray's authors, MIT licence"
extensions = ["myst_parser"]
myst_heading_anchors = 4  # as on the pages of a code host
html_theme = "furo"
html_title = f"lunarray {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["wide.css"]
pygments_style = "friendly"
# Lines of shells and of output are not of one language; links to the tree's other files are downloads.
suppress_warnings = ["misc.highlighting_failure"]
exclude_patterns = ["_static"]
